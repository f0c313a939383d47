// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title The part of the identity registry that the validation registry uses
interface IAgentIdentities {
    /// @dev Reverts for an agent that does not exist.
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool);

    /// @dev Zero when the agent has no wallet.
    function getAgentWallet(uint256 agentId) external view returns (address);
}

/// @title Validation registry of agents according to ERC-8004, for chains that have no canonical one
/// @notice An agent names a validator and the hash of what is to be checked. Only that validator may respond, with 0 to 100.
/// @dev Functions and events are those of the reference implementation. Besides owner and operators, the wallet of an agent
/// may request a validation: its owner named it in the identity registry, and a custodial service has no other key of the agent.
/// A request hash that begins with `bindingOf` cannot be taken by the owner of another agent, who saw it before it was mined.
contract ValidationRegistry {
    /// @dev Validator, response and time share one storage slot.
    struct Validation {
        address validator;
        uint8 response;
        bool hasResponse;
        uint64 lastUpdate;
        uint256 agentId;
        bytes32 responseHash;
        string tag;
    }

    uint8 private constant MAX_RESPONSE = 100;
    IAgentIdentities private immutable _agents;

    mapping(bytes32 requestHash => Validation) private _validations;
    mapping(uint256 agentId => bytes32[]) private _requestsOfAgent;
    mapping(address validator => bytes32[]) private _requestsOfValidator;

    event ValidationRequest(
        address indexed validatorAddress,
        uint256 indexed agentId,
        string requestURI,
        bytes32 indexed requestHash
    );
    event ValidationResponse(
        address indexed validatorAddress,
        uint256 indexed agentId,
        bytes32 indexed requestHash,
        uint8 response,
        string responseURI,
        bytes32 responseHash,
        string tag
    );

    error BadRegistry(address registry);
    error BadValidator();
    error NotAuthorized(address caller, uint256 agentId);
    error RequestExists(bytes32 requestHash);
    error RequestNotFound(bytes32 requestHash);
    error NotValidator(address caller, bytes32 requestHash);
    error ResponseTooLarge(uint8 response);

    constructor(IAgentIdentities agents) {
        require(address(agents).code.length > 0, BadRegistry(address(agents)));
        _agents = agents;
    }

    // ------------------------------------------------------------------ requests and responses

    /// @notice Requests a validation of an agent's work. The hash commits to the content at `requestURI`, and is used once. A hash
    /// that is bound to this validator and agent replaces a request of it by others.
    function validationRequest(
        address validatorAddress,
        uint256 agentId,
        string calldata requestURI,
        bytes32 requestHash
    ) external {
        require(validatorAddress != address(0), BadValidator());
        require(_actsFor(msg.sender, agentId), NotAuthorized(msg.sender, agentId));
        Validation storage it = _validations[requestHash];
        address before = it.validator;
        bool isListed = before != address(0) && it.agentId == agentId;
        if (before != address(0)) {
            bool isSame = isListed && before == validatorAddress;
            bool isBound = bytes12(requestHash) == bindingOf(validatorAddress, agentId);
            require(isBound && !isSame, RequestExists(requestHash));
            delete _validations[requestHash];
        }
        (it.validator, it.lastUpdate, it.agentId) = (validatorAddress, uint64(block.timestamp), agentId);
        if (!isListed) _requestsOfAgent[agentId].push(requestHash);
        if (before != validatorAddress) _requestsOfValidator[validatorAddress].push(requestHash);
        emit ValidationRequest(validatorAddress, agentId, requestURI, requestHash);
    }

    /// @notice Responds to a request, by its validator. A further response replaces the one before. The URI is only in the event.
    function validationResponse(
        bytes32 requestHash,
        uint8 response,
        string calldata responseURI,
        bytes32 responseHash,
        string calldata tag
    ) external {
        require(response <= MAX_RESPONSE, ResponseTooLarge(response));
        Validation storage it = _get(requestHash);
        require(it.validator == msg.sender, NotValidator(msg.sender, requestHash));
        (it.response, it.hasResponse, it.lastUpdate) = (response, true, uint64(block.timestamp));
        (it.responseHash, it.tag) = (responseHash, tag);
        emit ValidationResponse(msg.sender, it.agentId, requestHash, response, responseURI, responseHash, tag);
    }

    // ------------------------------------------------------------------ views

    /// @notice The first twelve bytes of request hashes that only this agent can use, with this validator. The other twenty commit to
    /// the content.
    function bindingOf(address validatorAddress, uint256 agentId) public pure returns (bytes12) {
        return bytes12(keccak256(abi.encode(validatorAddress, agentId)));
    }

    /// @notice The validation of a request. Before the response, `response` is 0, `tag` is empty and `lastUpdate` the time of the request.
    function getValidationStatus(
        bytes32 requestHash
    )
        external
        view
        returns (
            address validatorAddress,
            uint256 agentId,
            uint8 response,
            bytes32 responseHash,
            string memory tag,
            uint256 lastUpdate
        )
    {
        Validation storage it = _get(requestHash);
        return (it.validator, it.agentId, it.response, it.responseHash, it.tag, it.lastUpdate);
    }

    /// @notice Count and average of an agent's responses. No validators mean all of them, an empty tag means any.
    function getSummary(
        uint256 agentId,
        address[] calldata validatorAddresses,
        string calldata tag
    ) external view returns (uint64 count, uint8 averageResponse) {
        bytes32[] storage requests = _requestsOfAgent[agentId];
        uint256 total;
        for (uint256 i; i < requests.length; i++) {
            Validation storage it = _validations[requests[i]];
            if (!it.hasResponse || it.agentId != agentId || !_names(validatorAddresses, it.validator)) continue;
            if (bytes(tag).length > 0 && keccak256(bytes(tag)) != keccak256(bytes(it.tag))) continue;
            total += it.response;
            count++;
        }
        if (count > 0) averageResponse = uint8(total / count);
    }

    function getAgentValidations(uint256 agentId) external view returns (bytes32[] memory requestHashes) {
        return _requestsOfAgent[agentId];
    }

    function getValidatorRequests(
        address validatorAddress
    ) external view returns (bytes32[] memory requestHashes) {
        return _requestsOfValidator[validatorAddress];
    }

    function getIdentityRegistry() external view returns (address) {
        return address(_agents);
    }

    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    // ------------------------------------------------------------------ internal

    function _actsFor(address caller, uint256 agentId) private view returns (bool) {
        return _agents.isAuthorizedOrOwner(caller, agentId) || _agents.getAgentWallet(agentId) == caller;
    }

    function _names(address[] calldata validators, address validator) private pure returns (bool) {
        for (uint256 i; i < validators.length; i++) {
            if (validators[i] == validator) return true;
        }
        return validators.length == 0;
    }

    function _get(bytes32 requestHash) private view returns (Validation storage it) {
        it = _validations[requestHash];
        require(it.validator != address(0), RequestNotFound(requestHash));
    }
}
