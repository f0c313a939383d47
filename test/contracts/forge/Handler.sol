// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {cheats} from "./Cheats.sol";
import {Escrow, Usdc} from "./Deployed.sol";
import {Witness} from "./Witness.sol";

/// @dev What anybody may try, in any order. Three calls of four come from the party that may make them.
contract Handler is Witness {
    bytes32 private constant RECEIVE_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    constructor(Escrow escrow_, Usdc token_, address treasury_) Witness(escrow_, token_, treasury_) {
        for (uint256 i; i < HOLDERS; i++) holders[i] = cheats.addr(i + 1);
    }

    modifier timed() {
        cheats.warp(time);
        // Removes mocked calls that a reverted call left behind.
        cheats.clearMockedCalls();
        _;
    }

    // ------------------------------------------------------------------ agreeing and paying in

    function createJob(uint256 who, uint256 provider, uint256 evaluator, uint256 lifetime) external timed watched {
        address named = provider % 3 == 0 ? address(0) : _holder(provider);
        cheats.prank(_holder(who));
        escrow.createJob(named, _holder(evaluator), _expiry(lifetime), "", address(0));
        _checkEvaluator(_holder(evaluator));
    }

    function setProvider(uint256 job, uint256 who, uint256 provider) external timed watched {
        uint256 id = _id(job, 1);
        cheats.prank(_caller(who, escrow.getJob(id).client));
        escrow.setProvider(id, _holder(provider), "");
    }

    function setBudget(uint256 job, uint256 who, uint256 amount) external timed watched {
        uint256 id = _id(job, 1);
        Escrow.Job memory it = escrow.getJob(id);
        cheats.prank(_caller(who, amount % 2 == 0 ? it.client : it.provider));
        escrow.setBudget(id, _amount(amount), "");
    }

    function fund(uint256 job, uint256 who) external timed watched {
        uint256 id = _id(job, 1);
        Escrow.Job memory it = escrow.getJob(id);
        cheats.prank(_caller(who, it.client));
        escrow.fund(id, it.budget, "");
    }

    function hire(uint256 who, uint256 provider, uint256 evaluator, uint256 lifetime, uint256 budget)
        external
        timed
        watched
    {
        cheats.prank(_holder(who));
        escrow.createAndFund(_holder(provider), _holder(evaluator), _expiry(lifetime), "", _amount(budget));
        _checkEvaluator(_holder(evaluator));
    }

    function hireBySignature(uint256 who, uint256 provider, uint256 evaluator, uint256 lifetime, uint256 budget)
        external
        timed
        watched
    {
        Escrow.HireTerms memory terms = Escrow.HireTerms({
            client: _holder(who),
            provider: _holder(provider),
            evaluator: _holder(evaluator),
            expiredAt: _expiry(lifetime),
            description: "",
            budget: _amount(budget),
            // Few different salts, so that some signatures are repeated.
            salt: bytes32(budget % 4)
        });
        bytes32 content = keccak256(
            abi.encode(RECEIVE_TYPEHASH, terms.client, escrow, terms.budget, 0, terms.expiredAt, escrow.hireNonce(terms))
        );
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", token.DOMAIN_SEPARATOR(), content));
        (uint8 v, bytes32 r, bytes32 s) = cheats.sign((who % HOLDERS) + 1, digest);
        escrow.createAndFundWithAuthorization(terms, terms.expiredAt, v, r, s);
        _checkEvaluator(terms.evaluator);
    }

    // ------------------------------------------------------------------ working and judging

    function submit(uint256 job, uint256 who) external timed watched {
        uint256 id = _id(job, 2);
        cheats.prank(_caller(who, escrow.getJob(id).provider));
        escrow.submit(id, bytes32(who), "");
    }

    /// @dev One time of four the token refuses the treasury.
    function complete(uint256 job, uint256 who, uint256 refused) external timed watched {
        uint256 id = _id(job, 3);
        address caller = _caller(who, escrow.getJob(id).evaluator);
        bytes memory toTreasury = abi.encodeWithSelector(Usdc.transfer.selector, treasury);
        if (refused % 4 == 0) cheats.mockCallRevert(address(token), toTreasury, "");
        cheats.prank(caller);
        escrow.complete(id, bytes32(0), "");
    }

    /// @dev Sometimes for more than the budget; one time of four the token refuses the treasury or the client.
    function completeUsed(uint256 job, uint256 who, uint256 used, uint256 refused) external timed watched {
        uint256 id = _id(job, 3);
        Escrow.Job memory it = escrow.getJob(id);
        used = used % (it.budget + it.budget / 8 + 1);
        address named = refused % 8 == 0 ? it.client : treasury;
        if (refused % 4 == 0)
            cheats.mockCallRevert(address(token), abi.encodeWithSelector(Usdc.transfer.selector, named), "");
        _charge(id, used);
        cheats.prank(_caller(who, it.evaluator));
        escrow.completeUsed(id, used, bytes32(0));
    }

    function reject(uint256 job, uint256 who) external timed watched {
        uint256 id = _id(job, 2);
        Escrow.Job memory it = escrow.getJob(id);
        cheats.prank(_caller(who, it.status == Escrow.JobStatus.Open ? it.client : it.evaluator));
        escrow.reject(id, bytes32(0), "");
    }

    function claimRefund(uint256 job, uint256 who) external timed watched {
        cheats.prank(_holder(who));
        escrow.claimRefund(_id(job, 2 + (who % 2)));
    }

    // ------------------------------------------------------------------ the world around

    function withdrawFees() external timed watched {
        escrow.withdrawFees();
    }

    /// @dev Of the next holder to whom a part is due, where there is one.
    function withdrawReturn(uint256 who) external timed watched {
        uint256 at = who % HOLDERS;
        for (uint256 i; i < HOLDERS && escrow.unpaidReturns(_holder(at)) == 0; i++) at++;
        escrow.withdrawReturn(_holder(at));
    }

    /// @dev Money that nobody asked for belongs to no job.
    function donate(uint256 amount) external timed {
        amount = amount % 1_000;
        cheats.prank(holders[0]);
        token.transfer(address(escrow), amount);
        donated += amount;
    }

    function passTime(uint256 length) external {
        time += length % 1 hours;
    }

    // ------------------------------------------------------------------ choosing

    function _holder(uint256 choice) private view returns (address) {
        return holders[choice % HOLDERS];
    }

    function _caller(uint256 choice, address rightful) private view returns (address) {
        return choice % 4 == 0 ? _holder(choice / 4) : rightful;
    }

    /// @dev Three times of four the next job that is where it should be. Reverts while there are no jobs.
    function _id(uint256 choice, uint256 stage) private view returns (uint256 id) {
        uint256 count = escrow.jobCount();
        id = (choice % count) + 1;
        for (uint256 i; choice % 4 > 0 && i < count && _stage[id] != stage; i++) id = (id % count) + 1;
    }

    function _amount(uint256 choice) private pure returns (uint256) {
        return choice % 1_000_000;
    }

    /// @dev From just too short to two hours.
    function _expiry(uint256 choice) private view returns (uint256) {
        return time + 5 minutes + (choice % 2 hours);
    }
}
